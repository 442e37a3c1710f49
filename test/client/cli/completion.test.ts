import { spawnSync } from 'node:child_process'
import { describe, expect, test } from '@jest/globals'
import { optionsOf } from '../../../client/cli/arguments.ts'
import { COMMANDS } from '../../../client/cli/commands.ts'
import { completionScript } from '../../../client/cli/completion.ts'

const hasZsh = spawnSync('zsh', ['--version']).status === 0

/** What bash completes after these words; the last one is the word at the cursor. */
const complete = (...words: string[]): string[] => {
  const script = `${completionScript('bash')}
COMP_WORDS=(agent-work ${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length}
_agent_work
printf '%s\\n' "\${COMPREPLY[@]}"`
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8', cwd: '/' })
  expect([status, stderr]).toEqual([0, ''])
  return stdout.split('\n').filter(Boolean)
}

describe('the completion script of bash', () => {
  test('is valid', () => {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: completionScript('bash'), encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  })

  test('completes every command', () => {
    expect(complete('').filter((word) => !word.startsWith('-'))).toEqual(COMMANDS.map(({ name }) => name))
    expect(complete('cl')).toEqual(['claim'])
  })

  test.each(COMMANDS.filter(({ passesArguments }) => !passesArguments).map((command) => [command.name, command] as const))(
    'completes every option of %s',
    (name, command) => {
      expect(complete(name, '--')).toEqual(Object.keys(optionsOf(command)).map((option) => `--${option}`))
    },
  )

  test('completes values, commands of the help, shells and files', () => {
    expect(complete('jobs', '--tier', '')).toEqual(['starter', 'pro', 'elite'])
    expect(complete('--json', 'jobs', '--tier', 'e')).toEqual(['elite'])
    expect(complete('help', 'wat')).toEqual(['watch'])
    expect(complete('completion', '')).toEqual(['bash', 'zsh'])
    expect(complete('submit', 'job', '/etc/host')).toContain('/etc/hosts')
    expect(complete('login', '--key-file', '/etc/host')).toContain('/etc/hosts')
    expect(complete('jobs', '--category', '')).toEqual([])
    expect(complete('submit', '--timeout', '')).toEqual([])
  })
})

describe('the completion script of zsh', () => {
  const script = completionScript('zsh')

  test('names every command and option', () => {
    for (const command of COMMANDS) {
      expect(script).toContain(`'${command.name}:`)
      if (!command.passesArguments) for (const name of Object.keys(optionsOf(command))) expect(script).toContain(`--${name}[`)
    }
  })

  const whenInstalled = hasZsh ? test : test.skip
  whenInstalled('is valid', () => {
    const { status, stderr } = spawnSync('zsh', ['-n'], { input: script, encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  })
})
