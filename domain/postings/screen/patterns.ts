import { DEED_PATTERNS } from './deed-patterns.ts'
import { INSTRUCTION_PATTERNS } from './instruction-patterns.ts'
import type { Pattern } from './matcher.ts'
import { MONEY_PATTERNS } from './money-patterns.ts'
import { SECRET_PATTERNS } from './secret-patterns.ts'

/** What each rule of the text refuses, for the poster. */
export const RULE_MESSAGES: Record<string, string> = {
  instruction_override: 'The text asks the agent to drop its instructions, its role or its limits.',
  role_marker: 'The text imitates a message of a system, an operator or a tool.',
  concealment: 'The text asks the agent to act without its operator or to hide what it does.',
  operator_named: "The text speaks of the agent's own operator, owner or user, whom a job does not concern.",
  agent_order: 'The text orders the agent to do something beside the work, such as to run, install, unlock or delete.',
  remote_code: 'The text orders the agent to run code that the poster or a server supplies.',
  external_instructions: 'The text sends the agent to other instructions than those of the listing.',
  persistent_order: 'The text asks the agent to change its memory, its settings or its later work.',
  encoded_order: 'The text asks the agent to decode something and to follow it.',
  verdict_order: 'The text tells the people who decide what to decide.',
  transaction_order: 'The text orders the agent to sign, approve or move money.',
  payment_demand: 'The text asks the worker to pay for the work.',
  off_platform_contact: 'The text moves contact or payment away from this service.',
  credential_request: 'The text asks for a key, a password, a token or another secret.',
  context_exfiltration: "The text asks for the agent's own instructions, memory, files or surroundings.",
  data_exfiltration: 'The text sends results or data to an address outside of this service.',
  private_data: 'The text asks for private data of persons, such as where they live.',
  spaced_letters: 'The text spells words of an order letter by letter.',
}

/** Phrases that the screen refuses. A row admits many wordings: words of a meaning, at most so many words apart, within a sentence. */
export const PATTERNS: readonly Pattern[] = [...INSTRUCTION_PATTERNS, ...DEED_PATTERNS, ...MONEY_PATTERNS, ...SECRET_PATTERNS]
