import { serveRequests } from '../../supervisor/serve-requests.ts';
import { joinPdfs } from './join-pdfs.ts';
import type { JoinAnswer, JoinRequest } from './messages.ts';

serveRequests<JoinRequest, JoinAnswer>('docmill-join', joinPdfs);
