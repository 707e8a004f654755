/** A real HTTPS server that speaks as much of a Proxmox API as its client needs: logins, tokens, refusals, `data`. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ScriptedServer, startScriptedServer } from './scripted-server.ts';
import type { TlsFiles } from './tls-files.ts';

export interface ProxmoxEndpoint extends ScriptedServer {
  /** Paths below `/api2/json` that were asked for, logins apart. */
  readonly asked: string[];
  /** How often somebody logged in. */
  readonly logins: () => number;
  /** From now on no ticket that was given before is good. */
  endTickets(): void;
}

export interface ProxmoxEndpointOptions {
  /** Whole `Authorization` value that is let in. */
  readonly authorization?: string;
  readonly login?: { readonly username: string; readonly password: string; readonly cookie: string };
  /** By path; a number is a status. */
  readonly answers: Readonly<Record<string, unknown>>;
  readonly onRequest?: (path: string, response: ServerResponse) => boolean;
  readonly secondFactor?: boolean;
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
};

const send = (response: ServerResponse, status: number, phrase: string, body: unknown): void => {
  response.writeHead(status, phrase, { 'content-type': 'application/json;charset=UTF-8' });
  response.end(JSON.stringify(body));
};

export const startProxmoxEndpoint = async (
  tls: TlsFiles,
  options: ProxmoxEndpointOptions,
): Promise<ProxmoxEndpoint> => {
  const asked: string[] = [];
  let logins = 0;
  let ticket = '';
  const isLetIn = ({ headers }: IncomingMessage): boolean =>
    options.login === undefined
      ? headers.authorization === options.authorization
      : ticket !== '' && headers.cookie === `${options.login.cookie}=${ticket}`;
  const logIn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = new URLSearchParams(await bodyOf(request));
    const { username, password } = options.login ?? {};
    if (form.get('username') !== username || form.get('password') !== password) {
      send(response, 401, 'authentication failure', { data: null });
      return;
    }
    logins += 1;
    if (options.secondFactor === true) {
      send(response, 200, 'OK', { data: { ticket: 'PVE:!tfa!%7B%7D:65F0::c2ln', NeedTFA: 1, username } });
      return;
    }
    ticket = `PVE:${username}:65F0000${logins}::c2lnbmF0dXJl+/==`;
    send(response, 200, 'OK', { data: { ticket, CSRFPreventionToken: '65F0:abc', username } });
  };
  const server = await startScriptedServer(
    (request, response) => {
      const path = (request.url ?? '').replace(/^\/api2\/json/, '');
      if (path === '/access/ticket' && request.method === 'POST') {
        void logIn(request, response);
        return;
      }
      asked.push(path);
      if (options.onRequest?.(path, response) === true) return;
      const answer = options.answers[path] ?? options.answers[path.replace(/\?.*/, '')];
      if (!isLetIn(request)) send(response, 401, 'No ticket', { data: null });
      else if (typeof answer === 'string') send(response, 403, answer, { data: null, message: `${answer}\n` });
      else if (answer === undefined) send(response, 501, `Method 'GET ${path}' not implemented`, { data: null });
      else send(response, 200, 'OK', { data: answer });
    },
    { tls: { cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) } },
  );
  return {
    ...server,
    asked,
    logins: () => logins,
    endTickets: () => {
      ticket = '';
    },
  };
};
