/** Members of shares. */
export const SHARE_MEMBERS = {
  share: 'The share, without what it shows.',
  surface: 'Kind of the shared record.',
  ttlSeconds: 'Life in seconds.',
  snapshotAt: 'Instant of the frozen copy.',
  revokedAt: 'Instant of the revocation; absent before it.',
  appPath: 'Path of the share in the web app.',
  apiPath: 'Path of the share in this API.',
  apiUrl: 'Address of the share.',
  resource: 'The frozen, redacted copy.',
  dispute: 'The dispute without evidence; a rationale only where it is public content.',
  policy: 'A rule of the service.',
  tag: 'Tag of the policy.',
} as const
