import { PROVIDERS } from '../../../../schemas/ingestion/providers.ts'
import { CODE_SOURCES, testLargeSources } from './large-sources.ts'

testLargeSources(PROVIDERS.filter((provider) => !CODE_SOURCES.includes(provider)))
