/** Members of events. */
export const EVENT_MEMBERS = {
  lastEventId: 'Id after which the next answer begins.',
  gap: 'Whether events after `after` are no longer kept.',
  wallets: 'Wallets that may read the event.',
} as const
