import { memoized } from "../spec/memoized.ts";
import { Shapes } from "../spec/schema/shape.ts";
import type { SchemaIndex } from "../spec/schema-index.ts";

export const shapesOf = memoized((schemas: SchemaIndex) => new Shapes(schemas));
