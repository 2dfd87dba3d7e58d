interface SupportedVersion {
  /** The last day with updates for security. */
  until: string
  /** For docs/lookup/versions.md. */
  note: string
}

/**
 * The versions that the portal is tested with. `portal doctor` compares those that it finds, and
 * docs/lookup/versions.md shows them.
 */
export const supportedVersions = {
  /** Source: github.com/nodejs/release */
  Node: {
    22: { until: '2027-04-30', note: 'from 22.18 on' },
    24: { until: '2028-04-30', note: '' },
    26: { until: '2029-04-30', note: 'recommended; in the image' }
  },
  /** Source: postgresql.org/support/versioning */
  PostgreSQL: {
    15: { until: '2027-11-11', note: '' },
    16: { until: '2028-11-09', note: '' },
    17: { until: '2029-11-08', note: '' },
    18: { until: '2030-11-14', note: 'recommended; with every change' }
  }
} satisfies Record<string, Record<number, SupportedVersion>>

export type Software = keyof typeof supportedVersions

/** From the oldest to the newest. */
export const versionsOf = (software: Software): [version: number, SupportedVersion][] =>
  Object.entries(supportedVersions[software]).map(([version, facts]) => [Number(version), facts])
