import { CODE_SOURCES, testLargeSources } from './large-sources.ts'

testLargeSources(CODE_SOURCES)
