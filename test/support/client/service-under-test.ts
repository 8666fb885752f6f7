import type { StackWithOperator } from '../services/provided.ts';
import { type ApiClient, createApiClient, loadContract } from './api-client.ts';
import { createMailbox, type Mailbox } from './mailbox.ts';
import { byProgram, byServer, createOperator, type Operator, type Plan } from './operator.ts';

export interface TestClient extends ApiClient {
  readonly accountId: string;
  readonly keyId: string;
  readonly apiKey: string;
  quotas(): Promise<Quotas>;
}

export interface Amounts {
  readonly docs: number;
  readonly templates: number;
}
export interface QuotaAmounts {
  readonly subscriptions: Amounts;
  readonly credits: Amounts;
  readonly total: Amounts;
}
export interface Quotas {
  readonly allocated: QuotaAmounts;
  readonly remaining: QuotaAmounts;
}

/** A running stack as a client and its operator see it. */
export interface ServiceUnderTest {
  readonly url: string;
  readonly operator: Operator;
  readonly mailbox: Mailbox;
  /** A client without a key. */
  readonly anonymous: ApiClient;
  clientOf(apiKey: string): ApiClient;
  newClient(plan?: Plan): Promise<TestClient>;
}

export async function useService(stack: StackWithOperator): Promise<ServiceUnderTest> {
  const contract = await loadContract(stack.url);
  const operator = createOperator(stack.operatorUrl === undefined ? byProgram(stack.env) : byServer(stack.operatorUrl));
  const clientOf = (apiKey: string) => createApiClient(stack.url, contract, apiKey);
  return {
    url: stack.url,
    operator,
    mailbox: createMailbox(stack.mailDir),
    anonymous: createApiClient(stack.url, contract),
    clientOf,
    async newClient(plan) {
      const account = await operator.createAccount(plan);
      const client = clientOf(account.apiKey);
      const quotas = async () => (await client.call('GET', '/v1/account/quotas')).json<Quotas>();
      return { ...client, ...account, quotas };
    },
  };
}
