// Figures for people, and as the last line one JSON object. Ratios are taken inside one run, in turn; a single time says little.
// A target that is missed is named, in the JSON object too.
import { startFleet } from '../support/fleet/fleet.ts'
import { benchBystander } from './bystander.ts'
import { measureClaims } from './claims.ts'
import { benchFanout } from './fanout.ts'
import type { Paired } from './figures.ts'
import { benchJobsList } from './jobs-list.ts'
import { measureLatency, measureRace, measureResident } from './load/latency.ts'
import { benchSavings } from './savings.ts'
import { missedTargets } from './targets.ts'
import { benchTools } from './tools.ts'

const round = (value: number, digits = 3): number => Number(value.toFixed(digits))
const say = (name: string, value: string): void => console.log(`${name.padEnd(44)} ${value}`)
const pair = ({ ratio, ours, theirs }: Paired): string => `${round(ratio)}   (${round(ours, 1)} a second beside ${round(theirs, 1)})`

const idle = async () => {
  const fleet = await startFleet()
  try {
    const residentMb = await measureResident(fleet)
    say('resident memory of idle API and worker', `${round(residentMb, 0)} MiB`)
    const { middle, longestMs } = await measureRace(fleet)
    const { medianMs } = middle
    say(
      '200 wallets for one job, the middle of 5 races',
      `median ${round(medianMs, 0)} ms, longest ${round(middle.longestMs, 0)} ms; longest of all races ${round(longestMs, 0)} ms`,
    )
    const latency = await measureLatency(fleet)
    say(`blocks of a second until ${latency.claimed} claims are answered`, `median ${latency.medianBlocks}, most ${latency.mostBlocks}`)
    return {
      residentMb: round(residentMb, 0),
      raceMedianMs: round(medianMs, 0),
      raceLongestMs: round(longestMs, 0),
      claimLatencyBlocks: latency.medianBlocks,
    }
  } finally {
    await fleet.close()
  }
}

const claims = async () => {
  const fleet = await startFleet({ workerScript: 'test/bench/worker.ts', env: { REWARD_BANK_MAX_AGE_SECONDS: '86400' } })
  try {
    const { engine, http } = await measureClaims(fleet)
    say('a durable claim by the least a claim could be', pair(engine))
    say('the same with HTTP, sign-in and evaluator', pair(http))
    return { claimThroughputRatio: round(engine.ratio), claimHttpRatio: round(http.ratio) }
  } finally {
    await fleet.close()
  }
}

const catalogue = async () => {
  const { jobsListRatio, jobsListGrowth, claimGrowth, ...seen } = await benchJobsList()
  say(
    'the list by a bare server with the same bytes',
    `${round(jobsListRatio)}   (${round(seen.smallRate, 0)} a second beside ${round(seen.bareRate, 0)})`,
  )
  say(
    'the list with 100,000 jobs by 1,000',
    `${round(jobsListGrowth)}   (${round(seen.largeReadMs, 2)} ms beside ${round(seen.smallReadMs, 2)})`,
  )
  say(
    'the database part of a claim likewise',
    `${round(claimGrowth)}   (${round(seen.largeClaimMs, 1)} ms beside ${round(seen.smallClaimMs, 1)})`,
  )
  return { jobsListRatio: round(jobsListRatio), jobsListGrowth: round(jobsListGrowth), claimGrowth: round(claimGrowth) }
}

const bystander = async () => {
  const { bystanderMs, aloneMs, longestMs } = await benchBystander()
  say(
    'a badge beside 40 connections and 2,000 polls',
    `median ${round(bystanderMs, 1)} ms, longest ${round(longestMs, 0)} ms; alone ${round(aloneMs, 1)} ms`,
  )
  return { bystanderMs: round(bystanderMs, 1) }
}

const savings = async () => {
  const { poolReadRatio, vestingGrowth, ...seen } = await benchSavings()
  say(
    'the pool of a wallet with 200 tranches by its reads',
    `${round(poolReadRatio)}   (${round(seen.poolReadMs, 1)} ms beside ${round(seen.bareReadMs, 1)})`,
  )
  say(
    'vesting after 10,000 events by 100',
    `${round(vestingGrowth)}   (${round(seen.longVestingMs, 2)} ms beside ${round(seen.shortVestingMs, 2)})`,
  )
  return { poolReadRatio: round(poolReadRatio), vestingGrowth: round(vestingGrowth) }
}

const fanout = async () => {
  const { sseFanoutMs, sseFanoutRatio, bareMs, longestMs } = await benchFanout()
  say(
    'an event at one of 500 streams, by a bare server',
    `${round(sseFanoutRatio)}   (median ${round(sseFanoutMs, 1)} ms beside ${round(bareMs, 1)}, longest ${round(longestMs, 0)})`,
  )
  return { sseFanoutMs: round(sseFanoutMs, 1), sseFanoutRatio: round(sseFanoutRatio) }
}

const tools = async () => {
  const { mcpCallRatio, callMs, getMs, mcpColdListMs } = await benchTools()
  say('a list of jobs as a tool by the same GET', `${round(mcpCallRatio)}   (${round(callMs, 2)} ms beside ${round(getMs, 2)})`)
  say('the first list of tools of a process', `${round(mcpColdListMs, 1)} ms`)
  return { mcpCallRatio: round(mcpCallRatio), mcpColdListMs: round(mcpColdListMs, 1) }
}

const began = performance.now()
const figures = {
  ...(await idle()),
  ...(await claims()),
  ...(await catalogue()),
  ...(await bystander()),
  ...(await savings()),
  ...(await fanout()),
  ...(await tools()),
}
const missed = missedTargets(figures)
for (const target of missed) say('a target is missed', target)
console.log(JSON.stringify({ ...figures, missed, seconds: Math.round((performance.now() - began) / 1000) }))
if (missed.length > 0) process.exitCode = 1
