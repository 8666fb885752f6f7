import { expect, test } from 'vitest';
import { readComposeServices, readRedisCommand } from '../../../../tools/check-images/compose-services.ts';

test('the processes of the compose file have their variables, with defaults and with secrets of the folder', () => {
  const services = new Map(readComposeServices('/made').map((service) => [service.name, service]));
  expect([...services.keys()].filter((name) => name.startsWith('worker-'))).toHaveLength(5);
  expect(services.get('worker-mail')).toMatchObject({
    target: 'worker',
    env: { SMTP_URL_FILE: '/made/smtp_url', MAIL_FROM: 'Docmill <documents@localhost>', LOG_LEVEL: 'info' },
  });
  expect(services.get('migrate')?.command?.slice(-2)).toEqual(['migrate', '--json']);
  expect(services.has('postgres')).toBe(false);
  expect(JSON.stringify([...services.values()])).not.toMatch(/\$\{|\/run\/secrets/);
});

test('Redis takes its password from the folder', () => {
  expect(readRedisCommand('/made').slice(0, 2)).toEqual(['redis-server', '/made/redis_conf']);
});
