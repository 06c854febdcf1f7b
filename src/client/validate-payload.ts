import * as E from 'fp-ts/Either';
import { findNodeAtLocation, parseTree } from 'jsonc-parser';

import { Definitions } from '../check/definitions';
import { stepsOf } from '../codec/pointer';
import { decodePayload } from '../contract/decode';
import { parsePayload } from '../contract/json';
import { csvPayload, type CsvSystem } from '../csv/payload';
import type { Problem } from '../problem';
import { payloadRows } from '../rows/payload-rows';
import type { Template } from '../templates/templates';

/** A problem with its place in the text; lines and columns count from 1. */
export interface PlacedProblem extends Pick<Problem, 'pointer' | 'code' | 'message' | 'near'> {
  readonly line: number;
  readonly column: number;
}

/** The result of an offline check of a payload. */
export interface PayloadCheck {
  readonly problems: readonly PlacedProblem[];
  /** The number of all problems, listed or not. */
  readonly total: number;
  /**
   * Only the shape of an increment is checked, because its names refer to what the data source
   * holds.
   */
  readonly isIncrement: boolean;
}

const placeIn = (text: string): ((pointer: string) => { line: number; column: number }) => {
  const root = parseTree(text);
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (pointer) => {
    const steps = stepsOf(pointer).map((step) =>
      /^(0|[1-9]\d*)$/.test(step) ? Number(step) : step,
    );
    let node = root;
    // If a field is missing, the problem gets the place of the object that lacks it.
    for (let depth = steps.length; depth >= 0 && root !== undefined; depth -= 1) {
      node = findNodeAtLocation(root, steps.slice(0, depth));
      if (node !== undefined) break;
    }
    const offset = node?.offset ?? 0;
    const line = starts.findLastIndex((start) => start <= offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
};

/** If a text is not JSON, the message already names the line and column. */
const placedFault = (problem: Problem): PlacedProblem => {
  const [, line = '1', column = '1'] = /line (\d+), column (\d+)/.exec(problem.message) ?? [];
  return { ...problem, line: Number(line), column: Number(column) };
};

/** Adds the line and column to each problem of a text. */
export const placed = (text: string, problems: readonly Problem[]): readonly PlacedProblem[] => {
  if (problems.length === 0) return [];
  if (problems[0]?.code === 'NOT_JSON') return problems.map(placedFault);
  const place = placeIn(text);
  return problems.map((problem) => ({ ...problem, ...place(problem.pointer) }));
};

/**
 * Checks the text of a payload without the service, by the rules that the service applies
 * (docs/rules.md: Problems). It does not know custom properties that an earlier push declared.
 */
export const validatePayload = (template: Template, text: string): PayloadCheck => {
  const parsed = parsePayload(text);
  if (E.isLeft(parsed)) {
    const { problems, total } = parsed.left;
    return { problems: placed(text, problems), total, isIncrement: false };
  }
  const decoded = decodePayload(template, parsed.right);
  if (E.isLeft(decoded)) {
    const { problems, total } = decoded.left;
    return { problems: placed(text, problems), total, isIncrement: false };
  }
  const { right } = decoded;
  if (right._tag === 'Increment') return { problems: [], total: 0, isIncrement: true };
  const { problems, total } = payloadRows(template, right.payload, Definitions.none).problems;
  const asSent = problems.map((problem) => ({
    ...problem,
    pointer: right.pointerAsSent(problem.pointer),
  }));
  return { problems: placed(text, asSent), total, isIncrement: false };
};

/** The result of an offline check of a CSV file. */
export interface CsvCheck extends Omit<PayloadCheck, 'problems'> {
  /** Problems, with row and column if a cell is wrong. */
  readonly problems: readonly Problem[];
}

/** Checks a CSV file without the service (docs/connectors.md: CSV files). */
export const validateCsv = (template: Template, text: string, system: CsvSystem): CsvCheck => {
  const made = csvPayload(template, text, system);
  if (E.isLeft(made)) return { ...made.left, isIncrement: false };
  const { payload, places } = made.right;
  const check = validatePayload(template, JSON.stringify(payload));
  const problems = check.problems.map(({ pointer, code, message }) => ({ pointer, code, message }));
  return { ...check, problems: places.placed(problems) };
};
