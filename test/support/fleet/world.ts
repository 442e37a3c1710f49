// A fleet as its callers see it: agents at any of its APIs, the records and the chain behind them.
import { privateKeyToAccount } from 'viem/accounts'
import { openDatabase } from '../../../activities/database/database.ts'
import { createChainView } from '../../../local/demo/chain.ts'
import { readChainFile } from '../../../schemas/chain/chain-file.ts'
import { createContract, type OpenApiDocument } from '../../e2e/support/contract.ts'
import { createHttp, type Http } from '../../e2e/support/http.ts'
import { type FleetOptions, startFleet } from './fleet.ts'

export type FleetWorld = Awaited<ReturnType<typeof openFleet>>

/** Starts a fleet and opens what a test looks at. `admin` and `verifier` enter by the first API, as do `call` and `agent`. */
export const openFleet = async (options: FleetOptions = {}) => {
  const fleet = await startFleet(options)
  try {
    const [first] = fleet.apis
    if (first === undefined) throw new Error('a fleet has one API at least')
    const contract = createContract((await (await fetch(`${first.base}/openapi.json`)).json()) as OpenApiDocument)
    const apis = fleet.apis.map(({ base }) => createHttp(base, contract))
    /** The API of caller number `index` of a crowd; callers take the APIs in turn. */
    const apiAt = (index: number): Http => {
      const found = apis[index % apis.length]
      if (found === undefined) throw new Error('a fleet has one API at least')
      return found
    }
    const chain = readChainFile(fleet.files.chainFile)
    const database = openDatabase({ url: fleet.databaseUrl, poolSize: 4, connectMs: 20_000 })
    return {
      ...fleet,
      base: first.base,
      ...apiAt(0),
      apiAt,
      contract,
      chainFile: chain,
      operator: fleet.keys.operator.address,
      view: createChainView(chain, fleet.rpcUrl),
      database,
      admin: await apiAt(0).agent(privateKeyToAccount(fleet.keys.admin.privateKey)),
      verifier: await apiAt(0).agent(privateKeyToAccount(fleet.keys.verifier.privateKey)),
      close: async (how?: { isKept: boolean }) => {
        await database.close()
        await fleet.close(how)
      },
    }
  } catch (error) {
    await fleet.close()
    throw error
  }
}
