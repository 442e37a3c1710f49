import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const codehost = subject({ name: 'codehost', kind: 'technical', buildsOn: ['outbound'], settings })
