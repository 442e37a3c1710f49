import type { Twin } from './twin.ts'

/** Creates the sources of work that the local stack runs, for the address under which each stands by its name. */
export const createLocalSources = (_url: string): readonly Twin[] => []
