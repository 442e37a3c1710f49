import type { LocalSource } from './local-source.ts'
import { createLocalOpenData } from './open-data.ts'
import { createOpenapiList } from './openapi.ts'
import { createOsvSource } from './osv.ts'
import { createStandardsCatalogue } from './standards.ts'
import { createLocalWikipedia } from './wikipedia.ts'

/** Creates the sources of work that the local stack runs. */
export const createLocalSources = (): readonly LocalSource[] => [
  createLocalWikipedia(),
  createLocalOpenData(),
  createOsvSource(),
  createOpenapiList(),
  createStandardsCatalogue(),
]
