#!/bin/sh
# Runs once, when the database is created: creates the service's own role, which owns its database and is not a
# superuser.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
\set password `cat /run/secrets/postgres_password`
CREATE ROLE docmill LOGIN PASSWORD :'password';
ALTER DATABASE docmill OWNER TO docmill;
SQL
