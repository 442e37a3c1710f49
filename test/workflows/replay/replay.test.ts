import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import { ISOLATION } from '../../../workers/temporal/isolation.ts'
import * as workflows from '../../../workflows/index.ts'
import { workflowBundle } from '../../support/workflow-bundle.ts'
import { HISTORIES, RECORDER, readManifest, sha256Of } from './manifest.ts'

/** Every way a process can go; each has one history. */
const REQUIRED: Record<string, readonly string[]> = {
  audit: ['records-audited'],
  chainFollower: ['chain-followed-for-an-hour'],
  sessionLog: ['session-log-closed-for-thirty-days'],
  gasGrant: ['gas-granted', 'gas-grant-refused'],
  contentDisclosure: ['content-disclosed', 'content-disclosure-refused-for-a-while'],
  lockedDeposit: ['lock-released-at-its-term', 'lock-left-early', 'lock-uncovered', 'lock-refused'],
  idleAllocation: ['idle-consent-expired', 'idle-consent-revoked', 'idle-consent-refused'],
  crossChainRequest: [
    'request-settled-by-its-balance',
    'request-ended-on-chain',
    'request-unknown-to-the-wrapper',
    'request-observed-by-an-operator',
    'request-parked-then-retried',
    'request-settled-by-another-party',
  ],
  webhook: ['webhook-delivered-tested-and-deleted', 'webhook-failed-until-it-was-paused', 'webhook-of-many-events-goes-on-in-a-new-run'],
  principalVesting: ['deposit-vested', 'deposit-burned-by-a-withdrawal', 'deposit-delayed-by-a-loan', 'vesting-of-incomplete-records'],
  claimSession: [
    'claim-approved',
    'claim-approved-past-the-service',
    'claim-expired',
    'claim-expired-when-somebody-met-it',
    'claim-refused-at-admission',
    'claim-refused-on-chain',
    'submission-refused-then-accepted',
    'submission-under-way-at-the-deadline',
    'submission-late-by-fault-of-the-platform',
    'submission-refused-during-the-time-out',
    'submission-tried-before-the-time-out-is-sent-again',
    'rejected-and-final',
    'rejected-then-disputed-and-decided-on-chain',
    'review-then-approved',
    'review-then-rejected',
    'review-decided-on-chain',
    'record-held-and-retried',
    'payout-held-and-retried',
    'payout-met-a-rejection-by-another-hand',
    'payout-met-a-chain-without-the-submission',
    'verifier-silent-and-started-again',
    'submission-offered-by-signal',
    'submissions-that-wait-for-each-other',
    'submission-of-another-session',
    'submission-in-time-while-the-time-out-is-held',
    'verdict-that-is-not-to-settle',
    'steps-refused-after-the-submission',
    'expiry-refused-by-the-record',
  ],
  dispute: [
    'dispute-window-over',
    'dispute-decided',
    'dispute-decided-by-signal-after-one-was-refused',
    'dispute-decided-on-chain',
    'dispute-timed-out',
    'dispute-prepared-replaced-and-signed',
    'rejection-overturned-and-silent',
    'review-approved-by-people',
    'review-rejected-by-people-and-final',
    'review-approved-by-the-machine',
    'review-silent',
    'review-silent-without-an-arbitrator',
    'decision-held-and-retried',
    'dispute-taken-back-by-a-fork',
    'silence-that-comes-to-nothing-at-first',
    'word-left-after-the-end',
    'words-at-the-wrong-stage',
    'verdict-of-a-machine-told-in-the-window',
    'prepared-word-found-by-a-run-that-begins-anew',
    'dispute-begun-by-a-word',
    'steps-refused-from-the-verdict-to-the-silence',
    'prepared-word-given-once-the-key-is-back',
  ],
  verifierRun: [
    'verification-decided',
    'verification-unavailable-then-decided',
    'verification-failed-and-sent-to-people',
    'verification-silent-until-the-review-deadline',
    'verification-silent-while-people-have-it',
    'verification-asked-for',
    'pull-request-approved-at-its-first-look',
    'pull-request-held-then-approved-at-a-poll',
    'pull-request-held-then-approved-when-told',
    'pull-request-rejected-when-asked-for',
    'pull-request-asked-for-during-its-last-look',
    'pull-request-overdue-then-approved',
    'pull-request-held-and-goes-on-in-a-new-run',
    'pull-request-unreadable-then-over',
    'pull-request-fault-told-and-watched-on',
  ],
}

const manifest = readManifest()
const text = (file: string): string => readFileSync(`${HISTORIES}${file}`, 'utf8')

describe('the recorded histories', () => {
  test('are there, each in the manifest, and none is missing', () => {
    const files = readdirSync(HISTORIES).filter((file) => file !== 'manifest.json')
    expect(files.length).toBeGreaterThan(0)
    expect(manifest.map(({ file }) => file).sort()).toEqual(files.sort())
  })

  test.each(manifest)('$file is as it was recorded', ({ file, sha256 }) => {
    expect(sha256Of(text(file))).toBe(sha256)
  })

  test.each(manifest)('$file is a whole run of its process', ({ file, workflowType, ending }) => {
    const { events } = JSON.parse(text(file)) as { events: Record<string, { workflowType?: { name: string } }>[] }
    expect(events[0]?.workflowExecutionStartedEventAttributes?.workflowType).toEqual({ name: workflowType })
    // A process without end goes on in a new run, and so does one whose history grew long.
    const goesOn = ['chainFollower', 'sessionLog'].includes(workflowType) || ending.endsWith('-goes-on-in-a-new-run')
    const fails = ending === 'gas-grant-refused'
    const last = goesOn ? 'ContinuedAsNew' : fails ? 'Failed' : 'Completed'
    expect(events.at(-1)).toHaveProperty(`workflowExecution${last}EventAttributes`)
  })

  test('hold the end of every step as an event: no step is a local activity', () => {
    expect(manifest.map(({ file }) => file).filter((file) => text(file).includes('core_local_activity'))).toEqual([])
  })

  test.each(manifest)('$file names no machine', ({ file }) => {
    const found = [...text(file).matchAll(/"(?:identity|stackTrace)":"([^"]*)"/g)].map(([, value]) => value)
    expect(found.filter((value) => value !== '' && value !== RECORDER)).toEqual([])
    expect(text(file)).not.toMatch(/file:\/\/|\.ts:\d|node_modules/)
  })

  test('cover every process and every way it can go', () => {
    expect(Object.keys(REQUIRED).sort()).toEqual(Object.keys(workflows).sort())
    const recorded = new Set(manifest.map(({ workflowType, ending }) => `${workflowType} ${ending}`))
    const required = Object.entries(REQUIRED).flatMap(([workflowType, endings]) => endings.map((ending) => `${workflowType} ${ending}`))
    expect([...recorded].sort()).toEqual(required.sort())
  })
})

describe('the present code', () => {
  const failures = new Map<string, string | undefined>()
  beforeAll(async () => {
    Runtime.install({ logger: new DefaultLogger('ERROR') })
    const histories = manifest.map(({ file }) => ({ workflowId: file, history: JSON.parse(text(file)) as unknown }))
    for await (const { workflowId, error } of Worker.runReplayHistories(
      { workflowBundle: await workflowBundle(), ...ISOLATION },
      histories,
    ))
      failures.set(workflowId, error?.message)
  }, 60_000)

  test.each(manifest)('goes the way of $file again', ({ file }) => {
    expect(failures).toHaveProperty('size', manifest.length)
    expect(failures.get(file)).toBeUndefined()
  })
})
