import { Shapes } from "../spec/schema/shape.ts";
import type { SchemaIndex } from "../spec/schema-index.ts";
import { memoized } from "./memoized.ts";

export const shapesOf = memoized((schemas: SchemaIndex) => new Shapes(schemas));
