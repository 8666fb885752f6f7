#!/bin/sh
# Creates the bucket and a user who may only access its objects. Safe to run again at any time. The image has a shell
# and `mc`, but no grep.
set -eu
read -r root_password </run/secrets/minio_root_password
read -r secret_key </run/secrets/s3_secret_access_key
export MC_CONFIG_DIR=/tmp/mc MC_HOST_store="http://root:$root_password@minio:9000"

mc mb --ignore-existing store/docmill
printf 'docmill\n%s\n' "$secret_key" | mc admin user add store
mc admin policy create store docmill-bucket /policy.json
# mc reports an error if the policy is already attached.
mc admin policy attach store docmill-bucket --user docmill || true
case "$(mc admin user info store docmill)" in
  *docmill-bucket*) echo 'the bucket and its user are ready' ;;
  *) echo 'the user docmill does not have the policy docmill-bucket' >&2; exit 1 ;;
esac
