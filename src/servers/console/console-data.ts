// Defines the data operations of the console, whose actor is a person.
import type { Person } from '../../access/actor.ts'
import { dataFor } from '../sessions/data.ts'

export const consoleData = dataFor<Person>()
