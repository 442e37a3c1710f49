import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseEnv, promisify } from 'node:util'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { openDatabase } from '../../../activities/database/database.ts'
import type { RebuildReport } from '../../../domain/rebuild/report.ts'
import { seed } from '../../../local/catalogue/seed.ts'
import { createChainView } from '../../../local/demo/chain.ts'
import { disputeFlows } from '../../../local/demo/dispute-flow.ts'
import { ingestFlow } from '../../../local/demo/ingest/flow.ts'
import { locksFlow } from '../../../local/demo/locks/flow.ts'
import { nativeFlow } from '../../../local/demo/native/flow.ts'
import { paidFlow } from '../../../local/demo/paid/flow.ts'
import { missingProof } from '../../../local/demo/proof.ts'
import { createReport } from '../../../local/demo/report.ts'
import { savingsFlow } from '../../../local/demo/savings/flow.ts'
import { stateFiles } from '../../../local/files.ts'
import { ANY_PORTS } from '../../../local/ports.ts'
import { type Stack, startStack } from '../../../local/stack.ts'
import type { AuditReport } from '../../../schemas/audit/record.ts'
import { readChainFile } from '../../../schemas/chain/chain-file.ts'
import { atEnd, dir } from './one-directory.ts'

let stack: Stack
atEnd(async () => stack?.stop())

/** Place of a demo, with the lines that it prints. */
const placeOf = () => {
  const { info } = stack
  const chainFile = readChainFile(info.chainFile)
  const printed: string[] = []
  const chain = createChainView(chainFile, info.rpcUrl)
  const report = createReport((line) => printed.push(line))
  return { printed, place: { base: info.api ?? '', chain, report, asset: chainFile.asset, info, chainFile } }
}

describe('each demo on one stack', () => {
  beforeAll(async () => {
    stack = await startStack({ dir, ports: ANY_PORTS })
    await seed(stack.info.databaseUrl, stateFiles(dir))
  })

  // The first one: later ones move time, until the jobs of the catalogue are stale.
  test('native account: its claim is refused until the chain maps it, and the whole deposit comes back', async () => {
    const { place, printed } = placeOf()
    const { outcome, differences } = await nativeFlow(place)
    expect(differences).toEqual([])
    expect(missingProof(outcome)).toEqual([])
    for (const shown of ['Revive.map_account', '0.20052 PAS are held until unmap_account', 'free 0.79948 PAS, held 0.20052 PAS, mapped'])
      expect(printed.some((line) => line.includes(shown))).toBe(true)
  })

  test('ingestion: each job of the six sources is paid for real work, and a no of maintainers costs no bond', async () => {
    const { place, printed } = placeOf()
    const { outcomes, differences } = await ingestFlow(place)
    expect(differences).toEqual([])
    expect(outcomes).toHaveLength(12)
    expect(outcomes.flatMap(missingProof)).toEqual([])
    expect(printed.filter((line) => line.includes('nothing listed, again from'))).toHaveLength(6)
  })

  test('paid verification: three verdicts are billed by the price or not at all', async () => {
    const { place, printed } = placeOf()
    const { runUrls, differences } = await paidFlow(place)
    expect(differences).toEqual([])
    expect(new Set(runUrls).size).toBe(3)
    for (const shown of [
      '5 USDC on eip155:420420417',
      'approved, paid by 0x',
      'rejected, paid by 0x',
      'inconclusive, not_billed',
      ...runUrls,
    ])
      expect(printed.some((line) => line.includes(shown))).toBe(true)
  })

  test('savings: every amount of the service equals the chain', async () => {
    const { place, printed } = placeOf()
    const saved = await savingsFlow(place)
    expect(saved.differences).toEqual([])
    expect(saved.equalCount).toBeGreaterThan(70)
    expect(missingProof(saved.starter)).toEqual([])
    expect(printed.filter((line) => line.length > 80 && /[█░]/.test(line))).toEqual([])
  })

  test('disputes: every balance changes as predicted', async () => {
    const ended = await disputeFlows(placeOf().place)
    expect(ended.flatMap(({ differences }) => differences)).toEqual([])
  })

  test('locks: every amount of the service equals the chain', async () => {
    const { place, printed } = placeOf()
    const locked = await locksFlow(place)
    expect(locked.differences).toEqual([])
    expect(locked.equalCount).toBeGreaterThan(30)
    for (const shown of ['Gate open', 'locked_deposit_encumbered', 'term_completed', 'consent expired', 'BALANCE_OBSERVATION_TIMEOUT'])
      expect(printed.some((line) => line.includes(shown))).toBe(true)
  })

  const run = async (args: string[]): Promise<unknown> => {
    const env = { ...process.env, ...parseEnv(readFileSync(stack.info.serviceEnv, 'utf8')) }
    // The exit code of findings is 1.
    const { stdout } = await promisify(execFile)(process.execPath, args, { env }).catch((error) => error)
    return JSON.parse(stdout)
  }
  const audit = async () => (await run(['workers/audit.ts', '--json'])) as AuditReport

  test('leaves records in which the audit finds no difference', async () => {
    const { results } = await audit()
    expect(results.length).toBeGreaterThan(10)
    expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
  })

  test('leaves records that a rebuild from the chain and the session log equals', async () => {
    const report = (await run(['workers/rebuild.ts', '--check', '--json'])) as RebuildReport & { outcome: string }
    expect([report.outcome, report.differences, report.reason]).toEqual(['equal', [], null])
    expect(report.rebuilt.receipts).toBeGreaterThan(2)
  })

  test('leaves requests to another chain whose altered or lost outcomes the audit finds', async () => {
    const database = openDatabase({ url: stack.info.databaseUrl, poolSize: 1 })
    try {
      await sql`update cross_chain_outcome set settled_assets_raw = settled_assets_raw - 1 where status = 'succeeded'`.execute(
        database.rows,
      )
      await sql`delete from cross_chain_outcome where status = 'failed'`.execute(database.rows)
    } finally {
      await database.close()
    }
    const failed = (await audit()).results.filter(({ outcome }) => outcome !== 'passed')
    expect(failed.map(({ check, findings }) => [check, findings])).toEqual([['cross_chain', 2]])
  })
})
