//! Who descends from whom among the commits of a range.

use super::Oid;

/// The parents of each commit of a range, in the commit's own order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parents {
    /// All of them, those of one commit behind those of the one before: places in the range, counted from its start, and
    /// places in `outside`, counted down from the largest number.
    places: Vec<u32>,
    /// Where those of each commit end.
    ends: Vec<u32>,
    outside: Vec<Oid>,
}

/// A parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parent {
    /// A commit of the range, at this place.
    Inside(usize),
    /// Another one.
    Outside(Oid),
}

impl Parents {
    /// With room for a range of so many commits.
    #[must_use]
    pub fn with_capacity(commits: usize) -> Self {
        Self { places: Vec::with_capacity(commits), ends: Vec::with_capacity(commits), outside: Vec::new() }
    }

    /// Adds those of the next commit.
    pub fn push(&mut self, parents: impl IntoIterator<Item = Parent>) {
        for parent in parents {
            let place = match parent {
                Parent::Inside(place) => number(place),
                Parent::Outside(id) => {
                    self.outside.push(id);
                    u32::MAX - number(self.outside.len() - 1)
                }
            };
            self.places.push(place);
        }
        self.ends.push(number(self.places.len()));
    }

    /// The parents that are not in the range; one may be there several times.
    #[must_use]
    pub fn outside(&self) -> &[Oid] {
        &self.outside
    }

    /// How many commits the range has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether the range has no commits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Those of the commit at a place.
    pub fn of(&self, commit: usize) -> impl Iterator<Item = Parent> {
        let start = commit.checked_sub(1).map_or(0, |before| self.ends[before]);
        let places = &self.places[start as usize..self.ends[commit] as usize];
        places.iter().map(|place| match self.outside.get((u32::MAX - place) as usize) {
            Some(id) => Parent::Outside(*id),
            None => Parent::Inside(*place as usize),
        })
    }

    /// The first of the commit at a place; `None` where history begins.
    #[must_use]
    pub fn first(&self, commit: usize) -> Option<Parent> {
        self.of(commit).next()
    }
}

impl Parent {
    /// Its place, if it is of the range.
    #[must_use]
    pub fn index(self) -> Option<usize> {
        match self {
            Self::Inside(place) => Some(place),
            Self::Outside(_) => None,
        }
    }

    /// Its id, where that of a place is known.
    #[must_use]
    pub fn id(self, at: impl FnOnce(usize) -> Oid) -> Oid {
        match self {
            Self::Inside(place) => at(place),
            Self::Outside(id) => id,
        }
    }
}

fn number(place: usize) -> u32 {
    u32::try_from(place).expect("a range has fewer than four billion commits")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_commit_has_its_own_inside_and_outside() {
        let ids = [1, 2].map(|id| Oid::from_bytes(&[id; 20]).unwrap());
        let family = [
            vec![Parent::Inside(2), Parent::Outside(ids[0])],
            vec![],
            vec![Parent::Outside(ids[1]), Parent::Inside(1), Parent::Outside(ids[0])],
        ];
        let mut parents = Parents::with_capacity(family.len());
        for own in &family {
            parents.push(own.iter().copied());
        }
        let found: Vec<Vec<Parent>> = (0..parents.len()).map(|commit| parents.of(commit).collect()).collect();
        assert_eq!(found, family);
        assert_eq!(parents.first(1), None);
        assert_eq!(parents.first(0).and_then(Parent::index), Some(2));
    }
}
