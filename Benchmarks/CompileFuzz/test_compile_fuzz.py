"""Tests of the generator: python3 -m unittest discover Benchmarks/CompileFuzz"""

import glob
import os
import re
import unittest

import chains
from values import *

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Sources", "Streams")
# Not operators: what publishers are made of, and what is done with them.
NOT_OPERATORS = {"receive"}


class ChainsTests(unittest.TestCase):
    made = [chains.make("tests", number) for number in range(4000)]

    def test_a_seed_determines_its_chains(self):
        self.assertEqual([chain.text for chain in self.made[:50]], [chains.make("tests", number).text for number in range(50)])
        self.assertNotEqual(self.made[0].text, chains.make("others", 0).text)

    def test_each_link_fits_the_one_before(self):
        for chain in self.made:
            types = chain.start
            for link in chain.links:
                self.assertEqual(link.before, types)
                types = link.after
            self.assertTrue(chain.end.fits(*types))

    def test_what_is_shorter_fits_as_well(self):
        for chain in self.made[:200]:
            for shorter in chain.shorter():
                self.assertLess((len(shorter.links), shorter.end != chains.LONG), (len(chain.links), True))
                types = shorter.start
                for link in shorter.links:
                    self.assertEqual(link.before, types)
                    types = link.after
                self.assertTrue(shorter.end.fits(*types))

    def test_every_operator_is_among_them(self):
        declared = set()
        for path in glob.glob(f"{SOURCES}/**/*.swift", recursive=True):
            extended = False
            with open(path) as file:
                for line in file:
                    if re.match(r"(?:public )?extension (?:Connectable)?Publisher\b(?!s|\.)", line): extended = True
                    if line.startswith("}"): extended = False
                    name = re.match(r"    public func `?(\w+)", line)
                    if extended and name: declared.add(name.group(1))
        self.assertGreater(len(declared), 80)
        text = "".join(chain.text for chain in self.made)
        missing = [name for name in sorted(declared - NOT_OPERATORS) if not re.search(rf"\.{name}\b", text)]
        self.assertEqual(missing, [], "no chain has these; add them to operators.py")

    def test_most_chains_have_four_to_eight_operators(self):
        lengths = [len(chain.links) for chain in self.made]
        self.assertEqual((min(lengths), max(lengths)), (1, 12))
        self.assertGreater(sum(4 <= length <= 8 for length in lengths), 0.6 * len(lengths))


if __name__ == "__main__": unittest.main()
