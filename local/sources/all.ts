import type { Twin } from './twin.ts'

/** Sources of work that the local stack runs. */
export const LOCAL_SOURCES: readonly Twin[] = []
