import { expect, test } from 'vitest';
import { startRedis } from '../../../../../tools/local/services/redis.ts';
import type { ServiceContext } from '../../../../../tools/local/services/service.ts';

test('a missing Redis is reported with the command that installs it', async () => {
  const context = { env: { PATH: '/nowhere' } } as unknown as ServiceContext;
  await expect(startRedis(context)).rejects.toThrow(
    /redis-server is missing: run '((sudo )?apt-get install --yes redis-server|brew install redis)'/,
  );
});
