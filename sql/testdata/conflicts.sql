insert into t values (1) on conflict do nothing returning a;
insert into t (a, b) select 1, 2 on conflict (a, "B") do nothing;
insert into t values (1) on conflict on constraint t_pkey do nothing;
insert into t as x values (1) on conflict (a) where b > 1 do update set b = excluded.b, (c, d) = (1, default) where x.b < 2 returning *;
