/** Variables that every process needs to start. */
export const required = {
  DATABASE_URL: 'postgresql://u:p@127.0.0.1/d',
  REDIS_URL: 'redis://127.0.0.1:6379',
  S3_ENDPOINT: 'http://127.0.0.1:9000',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
  SMTP_URL: 'smtp://127.0.0.1:25',
};
