import { describe, expect, test } from '@jest/globals'
import { createsNothing, isSilent, type SourceWatch, silentSeconds } from '../../../domain/ingestion/schedules.ts'

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 2, 1, 12)
const watch = (changes: Partial<SourceWatch> = {}): SourceWatch => ({
  activeSince: NOW - 100 * HOUR,
  isDry: false,
  everySeconds: 3_600,
  lastSuccessAt: NOW - HOUR,
  created24h: 0,
  newCandidates24h: 3,
  isEmpty24h: false,
  ...changes,
})

describe('a source of jobs', () => {
  test.each<[string, Partial<SourceWatch>, boolean, number | null]>([
    ['that is off', { activeSince: null, lastSuccessAt: null }, false, null],
    ['with a success in its last interval', {}, false, 3_600],
    ['with a success exactly three intervals ago', { lastSuccessAt: NOW - 3 * HOUR }, false, 10_800],
    ['with a success more than three intervals ago', { lastSuccessAt: NOW - 3 * HOUR - 1_000 }, true, 10_801],
    ['that was just turned on after a long pause', { activeSince: NOW - HOUR, lastSuccessAt: NOW - 50 * HOUR }, false, 3_600],
    ['that never had a success', { lastSuccessAt: null }, true, 360_000],
    ['with short intervals within the hour', { everySeconds: 900, lastSuccessAt: NOW - HOUR }, false, 3_600],
    ['whose clock went back', { lastSuccessAt: NOW + HOUR }, false, 0],
  ])('%s is silent: %j', (_case, changes, silent, seconds) => {
    expect([isSilent(watch(changes), NOW), silentSeconds(watch(changes), NOW)]).toEqual([silent, seconds])
  })

  test.each<[string, Partial<SourceWatch>, boolean]>([
    ['with new candidates and no job', {}, true],
    ['with a job', { created24h: 1 }, false],
    ['without new candidates', { newCandidates24h: 0 }, false],
    ['that gives no candidate at all', { newCandidates24h: 0, isEmpty24h: true }, true],
    ['that is dry', { isDry: true }, false],
    ['that is off', { activeSince: null }, false],
  ])('%s lists nothing: %j', (_case, changes, expected) => {
    expect(createsNothing(watch(changes))).toBe(expected)
  })
})
