/** What differs between the two products in how they are talked to. */
export interface ProxmoxProduct {
  readonly name: string;
  readonly defaultPort: number;
  /** Scheme of the `Authorization` header for API tokens. */
  readonly tokenScheme: string;
  /** Between token id and secret: Proxmox VE wants `=`, Proxmox Backup Server `:`. */
  readonly tokenSeparator: string;
  readonly ticketCookie: string;
}

export const PROXMOX_VE: ProxmoxProduct = {
  name: 'Proxmox VE',
  defaultPort: 8006,
  tokenScheme: 'PVEAPIToken',
  tokenSeparator: '=',
  ticketCookie: 'PVEAuthCookie',
};

export const PROXMOX_BACKUP: ProxmoxProduct = {
  name: 'Proxmox Backup Server',
  defaultPort: 8007,
  tokenScheme: 'PBSAPIToken',
  tokenSeparator: ':',
  ticketCookie: 'PBSAuthCookie',
};
