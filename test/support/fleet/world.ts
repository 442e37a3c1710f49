// A fleet as its callers see it: agents at any of its doors, the records and the chain behind them.
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
    const doors = fleet.apis.map(({ base }) => createHttp(base, contract))
    /** Doors in turn: the caller number `index` of a crowd enters by this one. */
    const door = (index: number): Http => {
      const found = doors[index % doors.length]
      if (found === undefined) throw new Error('a fleet has one door at least')
      return found
    }
    const chain = readChainFile(fleet.files.chainFile)
    const database = openDatabase({ url: fleet.databaseUrl, poolSize: 4, connectMs: 20_000 })
    return {
      ...fleet,
      base: first.base,
      ...door(0),
      door,
      contract,
      chainFile: chain,
      operator: fleet.keys.operator.address,
      view: createChainView(chain, fleet.rpcUrl),
      database,
      admin: await door(0).agent(privateKeyToAccount(fleet.keys.admin.privateKey)),
      verifier: await door(0).agent(privateKeyToAccount(fleet.keys.verifier.privateKey)),
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
