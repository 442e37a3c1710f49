// A posted job by the command line alone: a poster and a worker, each with a key and a directory of their own.
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { moveTime } from '../../../local/time/move.ts'
import { BAD_WORK, GOOD_WORK } from '../../e2e/support/jobs.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { type CommandLine, createCommandLine } from './command-line.ts'

const world = useWorld()
const HOUR_SECONDS = 3_600

let poster: CommandLine
let worker: CommandLine

beforeAll(async () => {
  poster = createCommandLine(world().base, 'a passphrase of the poster')
  worker = createCommandLine(world().base, 'a passphrase of the worker')
  for (const cli of [poster, worker]) {
    await cli.done('login')
    await cli.done('faucet', '10')
  }
})
afterAll(() => {
  for (const { home } of [poster, worker]) rmSync(home, { recursive: true, force: true })
})

const write = (cli: CommandLine, name: string, content: object): string => {
  const path = join(cli.home, name)
  writeFileSync(path, JSON.stringify(content))
  return path
}

let count = 0
/** File with a definition that no other draft has. */
const definition = (): string => {
  count += 1
  return write(poster, `job-${count}.json`, {
    title: `Retry policy ${count}`,
    description: 'Design the retry policy of a client.',
    category: 'coding',
    rewardAmount: 1,
    verifierMode: 'benchmark',
    verifierTerms: ['exponential backoff', 'jitter', 'retry budget'],
  })
}

/** Drafts and funds a job. Returns its ids. */
const postJob = async (): Promise<{ draftId: string; jobId: string }> => {
  const { draftId, jobId } = await poster.json('post', 'draft', definition())
  await poster.json('post', 'fund', draftId, '--yes')
  await poster.json('post', 'watch', draftId, '--until', 'live')
  return { draftId, jobId }
}

const isRecordGone = (cli: CommandLine): boolean => !readdirSync(cli.keys).some((name) => name.startsWith('transaction-'))

describe('a job posted by the command line', () => {
  test('is drafted, rehearsed, funded, claimed, submitted and paid by two wallets', async () => {
    const { draftId, jobId, fundingRequirement } = await poster.json('post', 'draft', definition())
    expect(fundingRequirement).toMatchObject({ rewardRaw: '1000000', posterReservedRaw: '1050000' })
    const files = [write(poster, 'good.json', GOOD_WORK), write(poster, 'bad.json', BAD_WORK)]
    const { rehearsal } = await poster.json('post', 'rehearse', draftId, ...files)
    expect(rehearsal.submissions.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['approved', 'rejected'])

    const asked = await poster.run(['post', 'fund', draftId])
    expect([asked.exit, asked.error]).toEqual([2, expect.stringMatching(/Transaction 1 of 3: approve[\s\S]*1\.05 USDC[\s\S]*Add --yes/)])
    const funded = await poster.json('post', 'fund', draftId, '--yes')
    expect(funded.transactions.map(({ step }: { step: string }) => step)).toEqual(['approve', 'deposit', 'create'])
    expect(await poster.json('post', 'watch', draftId, '--until', 'live')).toMatchObject({ status: 'live', claimState: 'open' })
    expect(await poster.json('post', 'fund', draftId, '--yes')).toMatchObject({ transactions: [] })
    expect((await poster.fails('claim', jobId, '--yes')).problem.code).toBe('claimant_is_poster')
    expect(await poster.fails('post', 'cancel', jobId, '--yes')).toMatchObject({
      exit: 1,
      problem: { code: 'external_cancel_too_early', details: { earliestAt: expect.any(String) } },
    })

    await worker.json('deposit', '1', '--yes')
    const unasked = await worker.run(['claim', jobId])
    expect([unasked.exit, unasked.error]).toEqual([2, expect.stringContaining('Add --yes')])
    const claimed = await worker.json('claim', jobId, '--yes')
    expect(claimed).toMatchObject({ status: 'claimed', jobId, transactions: [{ step: 'claim' }] })
    expect(await worker.json('claim', jobId, '--yes')).toMatchObject({ sessionId: claimed.sessionId })
    const work = write(worker, 'work.json', GOOD_WORK)
    const submitted = await worker.json('submit', jobId, work, '--yes')
    expect(submitted).toMatchObject({ evidenceHash: expect.stringMatching(/^0x/), transactions: [{ step: 'submit' }] })
    const watched = await worker.done('watch', jobId)
    expect(watched.out).toMatch(/Reward +1 USDC, paid into the account/)
    const seen = await poster.done('post', 'watch', jobId, '--until', 'judged')
    expect(seen.out).toMatch(/Verdict +approved/)
    expect(await poster.json('post', 'watch', jobId)).toMatchObject({ status: 'settled' })
    expect((await world().view.escrowOf(jobId)).state).toBe('closed')
    for (const cli of [poster, worker]) expect(isRecordGone(cli)).toBe(true)
  })

  test('is not claimed without gas, and the command says what is missing', async () => {
    const { jobId } = await postJob()
    const poor = createCommandLine(world().base, 'a passphrase of another worker')
    await poor.done('login')
    await poor.done('faucet', '1')
    await poor.done('deposit', '1', '--yes')
    const { wallet } = await poor.json('whoami')
    await world().view.client.request({ method: 'anvil_setBalance', params: [wallet, '0x1'] } as never)
    const { exit, problem } = await poor.fails('claim', jobId, '--yes')
    expect([exit, problem.detail]).toEqual([1, expect.stringMatching(/^The wallet has 0\.0+1 .* can cost .* Nothing was sent\.$/)])
    expect((await world().view.escrowOf(jobId)).state).toBe('open')
    rmSync(poor.home, { recursive: true })
  })

  // It moves the time of the stack: the last test of this file.
  test('is cancelled by its poster an hour after its funding, and the money is in the account', async () => {
    const { jobId } = await postJob()
    const before = (await poster.json('account')).liquid.USDC.raw
    await moveTime(world().info, { plusSeconds: HOUR_SECONDS + 60 })
    expect(await poster.json('post', 'cancel', jobId, '--yes')).toMatchObject({
      refund: { total: { raw: '1050000' } },
      transactions: [{ step: 'cancel' }],
    })
    expect(BigInt((await poster.json('account')).liquid.USDC.raw) - BigInt(before)).toBe(1_050_000n)
    expect(await poster.json('post', 'watch', jobId, '--until', 'refunded')).toMatchObject({ status: 'cancelled' })
    const { jobs } = await poster.json('post', 'list')
    expect(jobs[0]).toMatchObject({ jobId, status: 'cancelled' })
  })
})
