import { pointerOf, type Step } from '../codec/pointer';
import { subjectOf, titleOf, type Warning } from '../warning';
/** The objects of a payload in which senders choose names and values. */
const PROPERTIES = ['custom_properties', 'dynamic_properties'];

/**
 * JSON and Neo4j store integers as floats. Only those below 2^53 are certain to be stored exactly.
 */
const isInexact = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);

const remark = (value: number, name: string, steps: readonly Step[]): Warning => {
  const subject = subjectOf('property', name);
  return {
    message: `The number is stored as ${value}, since only numbers below 2^53 are exact; declare an id as STRING (${titleOf(subject)})`,
    code: 'INEXACT_NUMBER',
    pointer: pointerOf(...steps),
    subject,
  };
};

/** Warns of integers in properties that may have lost digits (docs/rules.md: Warnings). */
export const inexactNumbers = (payload: unknown): readonly Warning[] => {
  const found: Warning[] = [];
  const steps: Step[] = [];
  const enter = (step: Step, value: unknown, look: (inside: object) => void): void => {
    if (typeof value !== 'object' || value === null) return;
    steps.push(step);
    look(value);
    steps.pop();
  };
  const lookAtProperties = (properties: object): void => {
    for (const [name, value] of Object.entries(properties)) {
      if (isInexact(value)) found.push(remark(value, name, [...steps, name]));
    }
  };
  const look = (inside: object): void => {
    if (Array.isArray(inside)) inside.forEach((value, at) => enter(at, value, look));
    else {
      for (const [name, value] of Object.entries(inside)) {
        enter(name, value, PROPERTIES.includes(name) ? lookAtProperties : look);
      }
    }
  };
  if (typeof payload === 'object' && payload !== null) look(payload);
  return found;
};
