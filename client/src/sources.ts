import type { Input } from './types.ts'

/** The operation that runs each source of jobs. */
export const SOURCE_RUNS = {
  github: 'ingestGithub',
  wikipedia: 'ingestWikipedia',
  osv: 'ingestOsv',
  'open-data': 'ingestOpenData',
  openapi: 'ingestOpenapi',
  standards: 'ingestStandards',
} as const satisfies Record<Input<'steerSource'>['provider'], string>
