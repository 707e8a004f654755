/** `host:port`, with IPv6 addresses in brackets. */

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

const PATTERN = /^(?:\[([0-9A-Fa-f:.%A-Za-z]{2,64})\]|([A-Za-z0-9_](?:[A-Za-z0-9._-]{0,252})?)):(\d{1,5})$/;

/** Null where the text is something else. */
export const parseHostPort = (text: string): HostPort | null => {
  const [, address, name, digits] = PATTERN.exec(text) ?? [];
  const host = address ?? name;
  const port = Number(digits);
  return host === undefined || port < 1 || port > 65_535 ? null : { host, port };
};
