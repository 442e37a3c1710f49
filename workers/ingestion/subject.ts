import { hostname } from 'node:os'
import { createSaltDerivation } from '../../activities/catalogue/expected-outputs.ts'
import { createSourceRequests } from '../../activities/ingestion/http/requests.ts'
import { PROVIDER_PARTS } from '../../activities/ingestion/providers.ts'
import { SOURCE_PROCESSES } from '../../activities/ingestion/start.ts'
import { createIngestSteps } from '../../activities/ingestion/steps.ts'
import { sourceContact } from '../../activities/outbound/user-agent.ts'
import { HANDLER_MODES } from '../../activities/verification/registry.ts'
import type { IngestActivities } from '../../schemas/ingestion/process.ts'
import type { WorkerDeps, WorkerSubject } from '../subjects.ts'
import { SOURCE_METRICS, startSourceWatch } from './sources.ts'

const termsOf = ({ settings, chain, operator }: WorkerDeps) => ({
  assetDecimals: new Map([[chain.asset.symbol, chain.asset.decimals]]),
  handlerModes: HANDLER_MODES,
  deniedRepos: settings.MAINTAINER_REPO_DENYLIST,
  posterAddress: operator.toLowerCase(),
  deriveSalt: (text: string) => {
    if (settings.ANSWER_SECRET === undefined) throw new Error('no answer secret is configured')
    return createSaltDerivation(settings.ANSWER_SECRET)(text)
  },
})

export const subject = {
  activities: (deps): IngestActivities =>
    createIngestSteps({
      database: deps.database,
      clock: deps.clock,
      settings: deps.settings,
      chain: deps.chain,
      terms: termsOf(deps),
      providers: PROVIDER_PARTS,
      openRequests: createSourceRequests({
        settings: deps.settings,
        fetches: deps.fetches,
        database: deps.database,
        clock: deps.clock,
        contact: sourceContact(deps.settings),
        seed: `${hostname()}/${process.pid}`,
        now: Date.now,
      }),
    }),
  standing: () => SOURCE_PROCESSES,
  metrics: SOURCE_METRICS,
  background: (deps) => {
    const watch = startSourceWatch(deps)
    return { loops: [watch], readSamples: watch.readSamples }
  },
} satisfies WorkerSubject
