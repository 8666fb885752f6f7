-- The start of the quota month that holds a moment: the anchor day at 00:00 UTC, or the month's last day when it is shorter.
CREATE FUNCTION quota_month_day(month timestamp, anchor_day integer) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (month + make_interval(days => least(anchor_day, extract(day FROM month + interval '1 month' - interval '1 day')::int) - 1))
    AT TIME ZONE 'UTC'
$$;
--> statement-breakpoint
CREATE FUNCTION quota_month_start(anchor_day integer, moment timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN quota_month_day(date_trunc('month', moment AT TIME ZONE 'UTC'), anchor_day) <= moment
    THEN quota_month_day(date_trunc('month', moment AT TIME ZONE 'UTC'), anchor_day)
    ELSE quota_month_day(date_trunc('month', moment AT TIME ZONE 'UTC') - interval '1 month', anchor_day)
  END
$$;
--> statement-breakpoint
CREATE FUNCTION quota_month_end(anchor_day integer, moment timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN quota_month_day(date_trunc('month', moment AT TIME ZONE 'UTC'), anchor_day) <= moment
    THEN quota_month_day(date_trunc('month', moment AT TIME ZONE 'UTC') + interval '1 month', anchor_day)
    ELSE quota_month_day(date_trunc('month', moment AT TIME ZONE 'UTC'), anchor_day)
  END
$$;
