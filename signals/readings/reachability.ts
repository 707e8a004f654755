/** Readings of what answers: probes, certificates, scrape targets, and the sources themselves. */

/** One probe of a configured check, or of an exporter's. Probes of one resource are weighed together. */
export interface ProbeReading {
  readonly kind: 'probe';
  /** The check's name: the subject where a resource has several. */
  readonly check: string;
  readonly probe: 'http' | 'tcp' | 'icmp' | 'agent' | 'other';
  readonly answered: boolean;
  /** Why not, or what was wrong with the answer. */
  readonly reason: string | null;
  readonly latencyMs: number | null;
  /** The operator said that this is answered when the thing is well; absent: a source probes it by itself. */
  readonly expected?: true;
}

/** A certificate that was really served. */
export interface CertificateReading {
  readonly kind: 'certificate';
  readonly subject: string;
  readonly notBeforeMs: number | null;
  readonly notAfterMs: number;
  /** Why a client refuses it apart from its dates; null: it is accepted, or was pinned by the operator. */
  readonly invalidReason: string | null;
  /** Proxmox's own certificates renew themselves 14 days before their end. */
  readonly renewsItself: boolean;
}

/** One scrape target of a Prometheus. */
export interface TargetReading {
  readonly kind: 'target';
  readonly job: string;
  readonly instance: string;
  readonly up: boolean;
  /** Since when it has been down without a break, where history tells. */
  readonly downSinceMs: number | null;
  readonly lastError: string | null;
}

/** What became of one survey of one source; patrold's own reading about the source. */
export interface SurveyReading {
  readonly kind: 'survey';
  readonly outcome: 'ok' | 'partial' | 'failed';
  readonly reason: string | null;
}
