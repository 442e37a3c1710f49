import { createLocalOpenData } from './open-data.ts'
import type { Twin } from './twin.ts'
import { createLocalWikipedia } from './wikipedia.ts'

/** Sources of work that the local stack runs. */
export const LOCAL_SOURCES: readonly Twin[] = [createLocalWikipedia(), createLocalOpenData()]
