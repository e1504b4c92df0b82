"""What the priority of a waiting job is made of: questions about the points of its factors."""

from shadowtime.console.session.training.clusters.scene import ClusterScene
from shadowtime.console.session.training.facts import Answer, Mistaken, OnCluster, Value
from shadowtime.console.session.training.questions.choices import among
from shadowtime.console.session.training.questions.clusters import OnPlan
from shadowtime.console.session.training.refusing import answered
from shadowtime.scenarios import Question
from shadowtime.scenarios.slurm.config import WEIGHTS


class LargestFactor(OnPlan):
    """Which factor gives a job most points of its priority."""

    def of(self, base: ClusterScene, scene: ClusterScene, question: Question) -> Answer:
        """The factors with the most points, by their titles in `sprio`. ValueError: no points are known."""
        assert question.job is not None
        job = scene.job(question.job)
        points = job.factors.get(scene.row(question.job).partition, {})
        given = {str(factor): points[factor] for factor in WEIGHTS if factor in points}
        most = max(given.values(), default=0)
        if most <= 0 or not job.priority:
            raise ValueError(f"the points of job {question.job} are not known, or it has none")
        facts: dict[Value, OnCluster] = {
            factor: OnCluster("points", question.job, {"factor": factor, "points": count}, scene.do)
            for factor, count in given.items()
        }
        right = tuple(factor for factor, count in given.items() if count == most)
        ranked = sorted(given, key=lambda factor: -given[factor])
        wrong: dict[Value, Mistaken] = {
            factor: Mistaken("fewer_points", question.job) for factor in ranked if factor not in right
        }
        because = tuple(facts[factor] for factor in ranked if given[factor])
        return answered(question, 0, right, among(right, wrong), because, facts)

    def shows(self, part: OnCluster, later: Answer) -> bool:
        """Whether a fact is the points of the job."""
        question = later.question
        return part.code == "points" and part.job == question.job and part.do == question.do
