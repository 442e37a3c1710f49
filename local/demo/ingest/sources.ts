import type { Answer, Client } from '../../../client/src/types.ts'
import type { Provider } from '../../../schemas/ingestion/providers.ts'
import { seededPackage, seededVersion } from '../../sources/osv.ts'

/** What every run is asked for. */
interface Asked {
  dryRun: boolean
  limit: number
}
type IngestReply = Answer<'ingestGithub'>

/** A source of the demo. */
export interface DemoSource {
  provider: Provider
  /** Requests a run, of jobs that a worker without a history may claim. */
  run: (admin: Client, asked: Asked) => Promise<IngestReply>
  /** Part of path or query of the first request of a run, and of no request of a verifier. */
  path: string
}

const PACKAGES = Array.from({ length: 50 }, (_, index) => ({
  ecosystem: 'npm' as const,
  name: seededPackage(index),
  version: seededVersion(index),
}))

/** A repository whose maintainers want a person who answers for the change. */
export const PERSON_REPO = 'meadow-03/docs'
/** A repository whose maintainers change their minds in the demo. */
export const DENYING_REPO = 'meadow-02/parser'

export const issuesOf = (repo: string): DemoSource => ({
  provider: 'github',
  run: (admin, asked) => admin.ingestGithub({ query: `repo:${repo} no:assignee`, minScore: 65, ...asked }),
  path: '/search/issues',
})

export const DEMO_SOURCES: readonly DemoSource[] = [
  issuesOf(PERSON_REPO),
  { provider: 'wikipedia', run: (admin, asked) => admin.ingestWikipedia({ language: 'en', minScore: 75, ...asked }), path: 'gcmtitle=' },
  { provider: 'osv', run: (admin, asked) => admin.ingestOsv({ packages: PACKAGES, minScore: 70, ...asked }), path: '/v1/querybatch' },
  { provider: 'open-data', run: (admin, asked) => admin.ingestOpenData({ query: 'air quality', minScore: 80, ...asked }), path: '/search' },
  { provider: 'openapi', run: (admin, asked) => admin.ingestOpenapi({ minScore: 80, ...asked }), path: '/v2/list.json' },
  { provider: 'standards', run: (admin, asked) => admin.ingestStandards({ minScore: 70, ...asked }), path: '/api/v1/doc/document/' },
]
