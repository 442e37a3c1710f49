import { subject } from '../subject.ts'

export const rebuild = subject({ name: 'rebuild', kind: 'overview', buildsOn: ['audit'] })
