-- width_bucket with thresholds in an array.
SELECT width_bucket(5, ARRAY[1,3,5,7]), width_bucket(0, ARRAY[1,3]), width_bucket(2.5, ARRAY[1,2,3]), width_bucket(2, ARRAY[1.5,2.0,3]), width_bucket(2::bigint, ARRAY[1,3]::smallint[]);
SELECT width_bucket('b'::text, ARRAY['a','c']), width_bucket('b,"'::text, ARRAY['a','b,"','c']), width_bucket('b', ARRAY['a','c']), width_bucket(date '2020-01-05', ARRAY[date '2020-01-01', date '2020-01-05']), width_bucket('10:00'::time, ARRAY['09:00','11:00']::time[]);
SELECT width_bucket(timestamptz '2020-01-02', '{2020-01-01,2020-01-03}'::timestamptz[]), width_bucket(timestamp '2020-01-02', '{2020-01-01,2020-01-03}'::timestamp[]), width_bucket(date '2020-01-02', '{2020-01-01,2020-01-03}'::timestamp[]), width_bucket(interval '2 h', ARRAY[interval '1 h', interval '3 h']);
SELECT width_bucket(5::float8, '{1,NaN}'::float8[]), width_bucket('NaN'::float8, '{1,NaN}'::float8[]), width_bucket('Infinity'::float8, '{1,2}'), width_bucket(1.5::real, '{1,2}'::real[]), width_bucket(0::float8, '{-1,-0,1}'::float8[]);
SELECT width_bucket(3, ARRAY[5,1]), width_bucket(3, '{}'::int[]), width_bucket(NULL, ARRAY[1,2]), width_bucket(1, NULL::int[]);
SELECT width_bucket(1, ARRAY[1,NULL]);
SELECT width_bucket(1, ARRAY['a']::text[]);
SELECT width_bucket(true, ARRAY[1]);
SELECT width_bucket(1, 2);
SELECT width_bucket(g, ARRAY[2,4]) AS b, count(*) FROM generate_series(1, 6) g GROUP BY b ORDER BY b;
SELECT width_bucket(5.35, 0.024, 10.06, 5), width_bucket(5.35::float8, 0, 10, 5), width_bucket(1, 2, 3, 0);
