/** Members of the published session log. */
export const SESSION_LOG_MEMBERS = {
  entryCount: 'Number of entries in the list of the day.',
  entriesHash: 'SHA-256 of the canonical JSON of the list of the day.',
  previous: 'SHA-256 of the canonical JSON of the head before; null for the first.',
  sealedAt: 'Instant at which the service closed the day.',
  heads: 'Heads, newest first.',
  position: 'Place in the list of the day, from 1.',
  previousHash: 'Hash of the entry before in the history of the same session; null for the first.',
} as const
