/** Without an event of the chain the process of a posting compares it with the chain again after this long, in ms. */
export const WATCH_MS = 24 * 60 * 60 * 1000
