/**
 * Options of a workflow that ends within an hour: it stays on the version of workers that began it. Every other one continues on each new
 * version, so its code changes by patches. Source: docs/adr/0052.
 */
export const PINNED = { versioningBehavior: 'PINNED' } as const
