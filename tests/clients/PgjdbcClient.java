import java.io.StringReader;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.sql.*;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Set;
import java.util.TreeSet;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/**
 * Uses pgjdbc as its users do and prints what it gets. The argument is a URL. Every line is the
 * same with PostgreSQL.
 */
public class PgjdbcClient {
  interface Act {
    Object run() throws Exception;
  }

  interface Query {
    ResultSet run() throws SQLException;
  }

  static Connection c;

  static void report(String name, Act act) {
    try {
      System.out.println(name + " " + act.run());
    } catch (SQLException e) {
      System.out.println(name + " " + e.getClass().getSimpleName() + " " + e.getSQLState() + " " + e.getMessage().replace('\n', ' '));
    } catch (Exception e) {
      System.out.println(name + " " + e);
    }
  }

  /** Prints the columns of a result, all of them where none is named. */
  static void rows(String name, Query query, String... columns) {
    report(name, () -> {
      try (ResultSet rs = query.run()) {
        StringBuilder out = new StringBuilder();
        ResultSetMetaData m = rs.getMetaData();
        while (rs.next()) {
          out.append("\n  ");
          if (columns.length == 0) {
            for (int i = 1; i <= m.getColumnCount(); i++) out.append(rs.getString(i)).append('|');
          }
          for (String column : columns) out.append(rs.getString(column)).append('|');
        }
        return out;
      }
    });
  }

  public static void main(String[] args) throws Exception {
    c = DriverManager.getConnection(args[0]);
    Statement s = c.createStatement();
    s.execute("CREATE TABLE items (a int NOT NULL, \"B c\" varchar(10), c numeric(10,2), d date, e timestamp, f float8, g interval,"
        + " h boolean, i bigint, j smallint, k text, PRIMARY KEY (a, j))");
    s.execute("CREATE VIEW few AS SELECT a, c FROM items");
    metadata(c.getMetaData());
    parameters();
    cursors();
    transactions(s);
    copy();
    cancel(s);
    s.execute("DROP VIEW few");
    s.execute("DROP TABLE items");
    report("valid", () -> c.isValid(5));
    c.close();
    report("closed", () -> c.isValid(5));
  }

  static void metadata(DatabaseMetaData d) {
    rows("tables", () -> d.getTables(null, "public", "%", new String[] {"TABLE", "VIEW"}));
    rows("columns", () -> d.getColumns(null, "public", "items", "%"));
    rows("columns of a view", () -> d.getColumns(null, "public", "few", null));
    rows("primary key", () -> d.getPrimaryKeys(null, "public", "items"));
    rows("indexes", () -> d.getIndexInfo(null, "public", "items", false, true),
        "NON_UNIQUE", "INDEX_NAME", "TYPE", "ORDINAL_POSITION", "COLUMN_NAME", "ASC_OR_DESC", "FILTER_CONDITION");
    rows("best row", () -> d.getBestRowIdentifier(null, "public", "items", DatabaseMetaData.bestRowSession, true));
    rows("schemas", () -> d.getSchemas(null, "pub%"));
    rows("catalogs", () -> d.getCatalogs());
    rows("table types", () -> d.getTableTypes());
    rows("imported keys", () -> d.getImportedKeys(null, "public", "items"));
    rows("exported keys", () -> d.getExportedKeys(null, "public", "items"));
    rows("cross reference", () -> d.getCrossReference(null, "public", "items", null, "public", "few"));
    rows("procedures", () -> d.getProcedures(null, "public", "%"));
    rows("functions", () -> d.getFunctions(null, "public", "%"));
    rows("function columns", () -> d.getFunctionColumns(null, "public", "%", "%"));
    rows("client info", () -> d.getClientInfoProperties());
    report("types", () -> {
      Set<String> names = new TreeSet<>();
      try (ResultSet rs = d.getTypeInfo()) {
        while (rs.next()) names.add(rs.getString("TYPE_NAME") + ":" + rs.getInt("DATA_TYPE"));
      }
      names.retainAll(Set.of("int4:4", "int8:-5", "numeric:2", "text:12", "varchar:12", "date:91", "timestamp:93", "bool:-7", "float8:8", "_int4:2003"));
      return names;
    });
    report("keywords", () -> d.getSQLKeywords().contains("analyze"));
    report("limits", () -> d.getMaxColumnNameLength() + " " + d.getMaxColumnsInIndex() + " " + d.getDatabaseMajorVersion());
  }

  static void parameters() {
    report("batch", () -> {
      try (PreparedStatement p = c.prepareStatement("INSERT INTO items VALUES (?,?,?,?,?,?,?::interval,?,?,?,?)")) {
        for (int n = 0; n < 20; n++) {
          p.setInt(1, n);
          p.setString(2, "ä'\\" + n);
          p.setBigDecimal(3, new BigDecimal("1.25"));
          p.setDate(4, Date.valueOf("1994-01-01"));
          p.setTimestamp(5, Timestamp.valueOf("1994-01-01 12:34:56.789"));
          p.setDouble(6, 0.1);
          p.setString(7, "1 day 2 hours");
          p.setObject(8, n % 2 == 0 ? Boolean.TRUE : null, Types.BOOLEAN);
          p.setLong(9, 1L << 40);
          p.setShort(10, (short) 7);
          p.setString(11, "k" + n);
          p.addBatch();
        }
        return java.util.Arrays.toString(p.executeBatch());
      }
    });
    for (int n = 0; n < 7; n++) { // by name and in binary after the fifth time
      rows("prepared", () -> {
        PreparedStatement p = c.prepareStatement("SELECT * FROM items WHERE d = ? AND a < ? AND c > ? AND e < ? ORDER BY a");
        p.setDate(1, Date.valueOf("1994-01-01"));
        p.setInt(2, 2);
        p.setBigDecimal(3, new BigDecimal("0.5"));
        p.setTimestamp(4, Timestamp.valueOf("1994-01-02 00:00:00"));
        return p.executeQuery();
      });
    }
    rows("dates", () -> {
      PreparedStatement p = c.prepareStatement("SELECT count(*) FROM items WHERE d = ? AND e >= ?");
      p.setObject(1, LocalDate.of(1994, 1, 1));
      p.setObject(2, LocalDateTime.of(1994, 1, 1, 0, 0));
      return p.executeQuery();
    });
    report("types of parameters", () -> {
      try (PreparedStatement p = c.prepareStatement("SELECT a + ?, c * ?, k || ? FROM items WHERE d > ?")) {
        ParameterMetaData m = p.getParameterMetaData();
        return m.getParameterTypeName(1) + " " + m.getParameterTypeName(2) + " " + m.getParameterTypeName(3) + " " + m.getParameterTypeName(4);
      }
    });
    report("updated", () -> {
      try (PreparedStatement p = c.prepareStatement("INSERT INTO items (a, j, k) SELECT a + 100, j, k || 'x' FROM items WHERE a < ?")) {
        p.setInt(1, 3);
        return p.executeUpdate();
      }
    });
  }

  static void cursors() throws SQLException {
    c.setAutoCommit(false);
    for (int size : new int[] {1, 7, 1000}) {
      report("fetch size " + size, () -> {
        int n = 0;
        try (PreparedStatement p = c.prepareStatement("SELECT x.a, y.a FROM items x, items y ORDER BY 1, 2")) {
          p.setFetchSize(size);
          ResultSet rs = p.executeQuery();
          while (rs.next()) n += rs.getInt(1) - rs.getInt(2) + 1;
        }
        return n;
      });
    }
    report("max rows", () -> {
      try (Statement s = c.createStatement()) {
        s.setMaxRows(3);
        ResultSet rs = s.executeQuery("SELECT a FROM items ORDER BY a");
        int n = 0;
        while (rs.next()) n++;
        return n;
      }
    });
    report("scrolled", () -> {
      try (Statement s = c.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY)) {
        ResultSet rs = s.executeQuery("SELECT a, \"B c\" FROM items ORDER BY a");
        rs.last();
        int rows = rs.getRow();
        rs.absolute(2);
        ResultSetMetaData m = rs.getMetaData();
        return rows + " " + rs.getInt(1) + " " + m.getColumnName(2) + " " + m.getColumnTypeName(2) + " " + m.getPrecision(2);
      }
    });
    c.commit();
    c.setAutoCommit(true);
  }

  static void transactions(Statement s) throws SQLException {
    c.setAutoCommit(false);
    report("savepoints", () -> {
      Savepoint one = c.setSavepoint("one");
      s.executeUpdate("INSERT INTO items (a, j) VALUES (1000, 1)");
      try {
        s.executeQuery("SELECT nope FROM items");
      } catch (SQLException e) {
        System.out.println("within " + e.getSQLState());
      }
      c.rollback(one);
      Savepoint two = c.setSavepoint();
      s.executeUpdate("INSERT INTO items (a, j) VALUES (1001, 1)");
      c.releaseSavepoint(two);
      c.commit();
      return "";
    });
    rows("after it", () -> s.executeQuery("SELECT a FROM items WHERE a >= 1000"));
    report("duplicate", () -> s.executeUpdate("INSERT INTO items (a, j) VALUES (1001, 1)"));
    report("failed", () -> s.executeQuery("SELECT 1"));
    c.rollback();
    report("isolation", () -> {
      c.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      c.setReadOnly(true);
      int level = c.getTransactionIsolation();
      c.commit();
      c.setReadOnly(false);
      c.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      return level + " " + c.getTransactionIsolation() + " " + c.getSchema();
    });
    c.commit();
    c.setAutoCommit(true);
    report("several results", () -> {
      StringBuilder out = new StringBuilder();
      boolean more = s.execute("SELECT 1; INSERT INTO items (a, j) VALUES (2000, 1); SELECT 2");
      while (more || s.getUpdateCount() >= 0) {
        if (more) {
          ResultSet rs = s.getResultSet();
          rs.next();
          out.append("row ").append(rs.getInt(1)).append(' ');
        } else {
          out.append("count ").append(s.getUpdateCount()).append(' ');
        }
        more = s.getMoreResults();
      }
      return out;
    });
  }

  static void copy() throws SQLException {
    CopyManager manager = c.unwrap(PGConnection.class).getCopyAPI();
    report("copied in", () -> manager.copyIn("COPY items (a, j, k) FROM STDIN CSV", new StringReader("3001,1,\"x,y\"\n3002,1,\n")));
    report("copied out", () -> {
      StringWriter out = new StringWriter();
      return manager.copyOut("COPY (SELECT a, k FROM items WHERE a > 3000 ORDER BY a) TO STDOUT", out) + " " + out.toString().replace("\n", ";");
    });
    report("copy with an error", () -> manager.copyIn("COPY items (a, j) FROM STDIN", new StringReader("x\t1\n")));
  }

  static final String LONG = "SELECT count(*) FROM items a, items b, items c, items d, items e, items f, items g, items h, items i, items j"
      + " WHERE a.f + b.f + c.f + d.f + e.f + f.f + g.f + h.f + i.f + j.f < 0";

  static void cancel(Statement s) throws Exception {
    s.setQueryTimeout(1);
    report("timeout", () -> s.executeQuery(LONG));
    s.setQueryTimeout(0);
    Thread canceller = new Thread(() -> {
      try {
        Thread.sleep(500);
        s.cancel();
      } catch (Exception e) {
        System.out.println(e);
      }
    });
    canceller.start();
    report("cancelled", () -> s.executeQuery(LONG));
    canceller.join();
    rows("and on", () -> s.executeQuery("SELECT 'went on'"));
  }
}
