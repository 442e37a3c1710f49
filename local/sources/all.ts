import { createLocalOpenData } from './open-data.ts'
import { createOpenapiList } from './openapi.ts'
import { createOsvSource } from './osv.ts'
import { createStandardsCatalogue } from './standards.ts'
import type { Twin } from './twin.ts'
import { createLocalWikipedia } from './wikipedia.ts'

/** Creates the sources of work that the local stack runs. */
export const createLocalSources = (): readonly Twin[] => [
  createLocalWikipedia(),
  createLocalOpenData(),
  createOsvSource(),
  createOpenapiList(),
  createStandardsCatalogue(),
]
