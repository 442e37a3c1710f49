// The whole API on a database alone, and the console over it: for pages of records that no process has to make.
import { createEvaluations } from '../../../../activities/eligibility/evaluate.ts'
import type { ApiDeps } from '../../../../api/deps.ts'
import { createHandlers } from '../../../../api/handlers.ts'
import { type ApiOptions, accounts, startApi, tokenOf } from '../../../support/api.ts'
import { createTestDatabase } from '../../../support/database.ts'
import { useStarted } from '../../../support/started.ts'
import { startConsole } from './console.ts'

/** Nothing runs in the engine, and nothing is on the chain. */
const PARTS = {
  engine: { listStoppedRuns: async () => [], readSchedules: async () => new Map() },
  reads: { operator: null },
}

const deployed = (digit: string) => ({ address: `0x${digit.repeat(40)}` })
/** Contracts of requests to another chain, which no test reads. */
const XCM = {
  ...{ wrapper: deployed('7'), adapter: deployed('8') },
  venue: { account: `0x${'9'.repeat(40)}`, asset: deployed('b'), share: deployed('c') },
}

interface RecordsOptions extends Omit<ApiOptions, 'databaseUrl'> {
  /** True where the chain takes requests to another chain. */
  hasCrossChain?: boolean
}

/** Starts API and console on an empty database; `tokens` are those of the operators' roles. */
const start = async ({ hasCrossChain = false, ...options }: RecordsOptions) => {
  const { url: databaseUrl, drop } = await createTestDatabase()
  const handlers: ApiOptions['handlers'] = (service) =>
    createHandlers({
      ...service,
      ...PARTS,
      ...(hasCrossChain && { chain: { ...service.chain, contracts: { ...service.chain.contracts, xcm: XCM } } }),
      evaluations: createEvaluations({ ...service, reads: PARTS.reads as never }),
    } as unknown as ApiDeps)
  const api = await startApi({ databaseUrl, handlers, ...options })
  const site = await startConsole(api.url)
  const [admin, verifier, arbitrator] = await Promise.all(
    [accounts.admin, accounts.verifier, accounts.arbitrator].map((one) => tokenOf(api, one)),
  )
  return { api, site, drop, tokens: { admin, verifier, arbitrator } }
}

/** Console over an API whose database is that of this file alone. */
export const useRecords = (options: RecordsOptions = {}) =>
  useStarted(
    () => start(options),
    async ({ api, site, drop }) => {
      await site.close()
      await api.close()
      await drop()
    },
  )
