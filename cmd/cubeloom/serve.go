package main

import "github.com/spf13/cobra"

// newServe makes the command serve.
func newServe() *cobra.Command {
	var engine engineFlags
	var flags serveFlags
	var config string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve psql and every other client of PostgreSQL",
		Long: `Serves the database by PostgreSQL's wire protocol until it is interrupted; then it
lets running statements finish, as long as --stop-timeout allows. A second interrupt
ends it at once. SIGHUP reads --rules, the certificates and --config again.

Who gets in: as long as no role has a password, clients on this machine come in by any
name, as ordinary roles, and there are no others. 'cubeloom user NAME' gives a role a
password; from then on everyone needs one (SCRAM-SHA-256), and --listen may reach beyond
this machine. A file of --rules, in the form of PostgreSQL's pg_hba.conf, says otherwise.
Whoever owns the data directory comes in as any role by the socket in it: psql -h DIR.

The first start makes one superuser, named by --superuser; docs/security.md says more.
TLS is offered with the certificate of --tls-cert, or with one that is made at the
first start and vouches for itself.

Statements read and write files of this machine below the folder of --files only;
psql's \copy, which reads and writes files of the client, works always.`,
		Example: `  cubeloom serve                                   # then: psql -h localhost
  cubeloom serve --data ./db --superuser ana       # one who may do everything
  cubeloom user ana --data ./db                    # asks for the password
  cubeloom serve --data ./db --listen :5432        # for other machines, too`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			given := givenFlags(cmd.Flags())
			if err := readConfig(config, cmd.Flags(), given); err != nil {
				return err
			}
			total, err := engine.serverMemory()
			if err != nil {
				return err
			}
			defer limitHeap(total)()
			s := &service{flags: &flags, dataDir: engine.data, io: stdio(cmd)}
			s.reread = func() (*serveFlags, error) { return rereadFlags(newServe().Flags(), config, given) }
			return s.run(cmd.Context(), &engine)
		},
	}
	engine.register(cmd)
	f := cmd.Flags()
	f.StringVar(&engine.totalMemory, "total-memory", "", "memory for everything together: queries, results, cursors, tables in memory, such as 16GB, or 0 for no limit (default: four fifths of the machine's)")
	f.StringVar(&config, "config", "", "file of flags, one NAME = VALUE a line; those of the command line come first")
	flags.register(f)
	return cmd
}
