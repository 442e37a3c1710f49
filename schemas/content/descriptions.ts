/** Members of stored content. */
export const CONTENT_MEMBERS = {
  contentType: 'Kind of the content.',
  ownerWallet: 'Wallet that owns the content.',
  publishedAt: 'Instant of the publication.',
  autoPublicAt: 'Instant at which the content becomes public by itself.',
  visibility: 'Who may read it.',
  payload: 'The content.',
  contentURI: 'Address of the content.',
  autoDisclosureEvent: 'Chain event of the publication by itself, after 180 days; the service sends none.',
  emitted: 'Whether the event was sent.',
  disclosureEvent:
    'Chain event of an early publication. `emitted` is true for the request that published the content, once the event is mined.',
} as const
