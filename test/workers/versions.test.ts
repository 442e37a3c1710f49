import { expect, test } from '@jest/globals'
import { versionOf } from '../../activities/temporal/deployments.ts'
import { readVersionsCommand, replayLines, versionLines } from '../../workers/versions.ts'

test.each([
  [['list'], { act: 'list' }],
  [['check'], { act: 'check' }],
  [['current'], { act: 'current', pin: false }],
  [['current', '--pin'], { act: 'current', pin: true }],
  [[], null],
  [['check', '--pin'], null],
  [['current', 'v1'], null],
  [['back'], null],
])('the command line %j is %j', (args, command) => {
  expect(readVersionsCommand(args)).toEqual(command)
})

const AUTO_UPGRADE = 2
const PINNED = 1
const task = (buildId: string, versioningBehavior = AUTO_UPGRADE) => ({
  workflowTaskCompletedEventAttributes: { deploymentVersion: { deploymentName: 'd', buildId }, versioningBehavior },
})
const pin = (buildId: string) => ({
  workflowExecutionOptionsUpdatedEventAttributes: { versioningOverride: { pinned: { version: { deploymentName: 'd', buildId } } } },
})
const unpin = { workflowExecutionOptionsUpdatedEventAttributes: { unsetVersioningOverride: true } }

test.each([
  ['before its first task', [], { buildId: null, pinnedBy: null }],
  ['on workers without versions', [{ workflowTaskCompletedEventAttributes: {} }], { buildId: null, pinnedBy: null }],
  ['after an upgrade', [task('one'), task('two')], { buildId: 'two', pinnedBy: null }],
  ['that its code pins', [task('one', PINNED)], { buildId: 'one', pinnedBy: 'code' }],
  ['that an operator pinned', [task('two'), pin('one')], { buildId: 'one', pinnedBy: 'operator' }],
  ['whose pin was taken away', [task('two'), pin('one'), unpin], { buildId: 'two', pinnedBy: null }],
])('the version of a process %s is read from its history', (_what, events, version) => {
  expect(versionOf({ events } as Parameters<typeof versionOf>[0])).toEqual(version)
})

test('a replay names what cannot continue, and counts the rest', () => {
  const process = { workflowId: 'dispute/1', runId: 'r', type: 'dispute', buildId: 'old', pinnedBy: null }
  const report = {
    replayed: { dispute: 1, claimSession: 3 },
    pinned: 2,
    returning: [],
    incompatible: [{ process, reason: 'another step' }],
  }
  expect(replayLines(report)).toEqual([
    '4 running processes replayed (claimSession 3, dispute 1)',
    '2 processes stay on their version until they end',
    '1 process cannot continue on this build:',
    '  dispute dispute/1 (on old): another step',
  ])
})

test('the list has each version with its processes', () => {
  const createdAt = new Date(0)
  const versions = [
    { buildId: 'old', state: 'draining' as const, createdAt },
    { buildId: 'new', state: 'current' as const, createdAt },
  ]
  expect(versionLines({ versions, conflictToken: new Uint8Array() }, new Map([['new', 1]]))).toEqual([
    'old  draining  0 running processes',
    'new  current  1 running process',
  ])
  expect(versionLines(null, new Map())).toEqual(['no worker of this deployment has polled yet'])
})
